; The installer for Windows: for one user, without administrator rights. `build.py` passes the defines
; VERSION, PROGRAM (folder of the frozen program), OUTPUT, ICON, LICENCE and KILOBYTES.
; Silent: /S installs, uninstall.exe /S uninstalls and keeps the data, /S /DELETEDATA deletes it too; /D=FOLDER comes last.

!ifdef TARGET
  Target ${TARGET}
!endif
Unicode true
SetCompressor /SOLID lzma
ManifestDPIAware true
RequestExecutionLevel user

!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"

!define NAME "Desktop RAG"
!define EXE "desktop-rag.exe"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\desktop-rag"
!define FOLDER_VERB "Software\Classes\Directory\shell\desktop-rag"
!define LINK_SCHEME "Software\Classes\desktop-rag"
!define BACKGROUND_VERB "Software\Classes\Directory\Background\shell\desktop-rag"

Name "${NAME}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Desktop RAG"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" "InstallLocation"
BrandingText "${NAME} ${VERSION}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Installer of ${NAME}"
VIAddVersionKey "LegalCopyright" "The Desktop RAG contributors, AGPL-3.0-or-later"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\${EXE}"
!insertmacro MUI_PAGE_LICENSE "${LICENCE}"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "SimpChinese"

LangString VERB ${LANG_ENGLISH} "Search in Desktop RAG"
LangString VERB ${LANG_GERMAN} "In Desktop RAG durchsuchen"
LangString VERB ${LANG_SIMPCHINESE} "在 Desktop RAG 中搜索"
LangString RUNNING ${LANG_ENGLISH} "Desktop RAG is running. Close its window, then try again."
LangString RUNNING ${LANG_GERMAN} "Desktop RAG läuft. Schließen Sie das Fenster und versuchen Sie es erneut."
LangString RUNNING ${LANG_SIMPCHINESE} "Desktop RAG 正在运行。请关闭其窗口后重试。"
LangString DATA ${LANG_ENGLISH} "Also delete your libraries, conversations and settings? Your documents stay."
LangString DATA ${LANG_GERMAN} "Auch Bibliotheken, Unterhaltungen und Einstellungen löschen? Ihre Dokumente bleiben."
LangString DATA ${LANG_SIMPCHINESE} "是否同时删除您的资料库、对话和设置?您的文档会保留。"

; A program that runs cannot be opened for writing.
!macro WaitUntilClosed
  ${If} ${FileExists} "$INSTDIR\${EXE}"
    again:
    ClearErrors
    FileOpen $0 "$INSTDIR\${EXE}" a
    ${If} ${Errors}
      MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(RUNNING)" /SD IDCANCEL IDRETRY again
      SetErrorLevel 2
      Abort
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

!macro RemoveProgram
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\${EXE}"
!macroend

Section "Program"
  !insertmacro WaitUntilClosed
  !insertmacro RemoveProgram ; of the version before
  SetOutPath "$INSTDIR"
  File /r "${PROGRAM}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"

  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\${EXE}"
  WriteRegStr HKCU "${FOLDER_VERB}" "" "$(VERB)"
  WriteRegStr HKCU "${FOLDER_VERB}" "Icon" '"$INSTDIR\${EXE}"'
  WriteRegStr HKCU "${FOLDER_VERB}\command" "" '"$INSTDIR\${EXE}" "%1"'
  WriteRegStr HKCU "${BACKGROUND_VERB}" "" "$(VERB)"
  WriteRegStr HKCU "${BACKGROUND_VERB}" "Icon" '"$INSTDIR\${EXE}"'
  WriteRegStr HKCU "${BACKGROUND_VERB}\command" "" '"$INSTDIR\${EXE}" "%V"'

  WriteRegStr HKCU "${LINK_SCHEME}" "" "URL:${NAME}"
  WriteRegStr HKCU "${LINK_SCHEME}" "URL Protocol" ""
  WriteRegStr HKCU "${LINK_SCHEME}\DefaultIcon" "" '"$INSTDIR\${EXE}",0'
  WriteRegStr HKCU "${LINK_SCHEME}\shell\open\command" "" '"$INSTDIR\${EXE}" "%1"'

  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\${EXE}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "The Desktop RAG contributors"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
SectionEnd

Section "Uninstall"
  !insertmacro WaitUntilClosed
  !insertmacro RemoveProgram
  Delete "$SMPROGRAMS\${NAME}.lnk"
  DeleteRegKey HKCU "${FOLDER_VERB}"
  DeleteRegKey HKCU "${BACKGROUND_VERB}"
  DeleteRegKey HKCU "${LINK_SCHEME}"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/DELETEDATA" $1
  ${IfNot} ${Errors}
    RMDir /r "$LOCALAPPDATA\desktop-rag"
  ${ElseIf} ${FileExists} "$LOCALAPPDATA\desktop-rag\*.*"
    MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "$(DATA)" /SD IDNO IDNO keep
    RMDir /r "$LOCALAPPDATA\desktop-rag"
    keep:
  ${EndIf}
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR" ; only if nothing of yours is in it
SectionEnd
